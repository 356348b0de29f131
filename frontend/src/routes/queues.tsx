export { QueuesTable as Component } from '@/features/queues/QueuesTable';
