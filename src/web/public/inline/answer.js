import { startAnswering } from '../parts/answer.js';

startAnswering();
