/** The texts of the first pages, in one file for the browser. */
export { default as announcements } from './es/announcements.json';
export { default as chat } from './es/chat.json';
export { default as common } from './es/common.json';
export { default as conversation } from './es/conversation.json';
export { default as errors } from './es/errors.json';
export { default as inbox } from './es/inbox.json';
export { default as messages } from './es/messages.json';
export { default as notifications } from './es/notifications.json';
export { default as session } from './es/session.json';
export { default as shell } from './es/shell.json';
export { default as tickets } from './es/tickets.json';
