export { ChatsPage as Component } from '@/features/chat/ChatsPage';
