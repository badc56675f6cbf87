import '../parts/answer.js';
