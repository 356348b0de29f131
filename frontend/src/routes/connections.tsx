export { ConnectionsTable as Component } from '@/features/connections/ConnectionsTable';
