export { type Audit, createAudit } from './audit.ts';
export { type AuditEvent, type AuditRow, auditKinds, type OpenedBy, waysToOpen } from './auditRow.ts';
export { auditTable } from './tables.ts';
