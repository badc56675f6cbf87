import '../copy.js';
