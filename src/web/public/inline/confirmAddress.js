import '../parts/confirm.js';
