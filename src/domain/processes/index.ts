export { createProcesses } from './processes.ts';
export { createProcessRegistration } from './registration.ts';
export { processesTable } from './tables.ts';
