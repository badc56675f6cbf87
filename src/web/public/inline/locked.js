import '../copy.js';
import '../parts/secret.js';
