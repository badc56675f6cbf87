import '../parts/unexpectedKey.js';
import '../parts/confirm.js';
