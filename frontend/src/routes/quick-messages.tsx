export { QuickMessagesTable as Component } from '@/features/quickMessages/QuickMessagesTable';
