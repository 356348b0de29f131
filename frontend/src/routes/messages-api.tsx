export { MessagesApiPage as Component } from '@/features/messagesApi/MessagesApiPage';
