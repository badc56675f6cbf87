import { startAnswering } from '../parts/answer.js';
import { prepareSealing } from '../parts/sealAnswer.js';

startAnswering(prepareSealing());
