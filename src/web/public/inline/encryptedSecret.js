import '../parts/decrypt.js'; // those after it wait until it is done
import '../copy.js';
import '../parts/secret.js';
