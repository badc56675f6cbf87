import '../files.js';
import '../parts/answer.js';
