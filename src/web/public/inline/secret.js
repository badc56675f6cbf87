import '../parts/unexpectedKey.js';
import '../copy.js';
import '../parts/secret.js';
