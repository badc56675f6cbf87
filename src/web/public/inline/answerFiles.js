import '../files.js';
import { startAnswering } from '../parts/answer.js';

startAnswering();
