import '../parts/keyField.js';
import '../parts/confirm.js';
