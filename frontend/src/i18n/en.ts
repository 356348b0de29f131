/** The texts of the first pages, in one file for the browser. */
export { default as announcements } from './en/announcements.json';
export { default as chat } from './en/chat.json';
export { default as common } from './en/common.json';
export { default as conversation } from './en/conversation.json';
export { default as errors } from './en/errors.json';
export { default as inbox } from './en/inbox.json';
export { default as messages } from './en/messages.json';
export { default as notifications } from './en/notifications.json';
export { default as session } from './en/session.json';
export { default as shell } from './en/shell.json';
export { default as tickets } from './en/tickets.json';
