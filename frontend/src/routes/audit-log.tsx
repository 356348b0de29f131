export { AuditTable as Component } from '@/features/audit/AuditTable';
