export { createProcesses, createProcessRegistration } from './processes.ts';
export { processesTable } from './tables.ts';
