/** The texts of the first pages, in one file for the browser. */
export { default as announcements } from './pt/announcements.json';
export { default as chat } from './pt/chat.json';
export { default as common } from './pt/common.json';
export { default as conversation } from './pt/conversation.json';
export { default as errors } from './pt/errors.json';
export { default as inbox } from './pt/inbox.json';
export { default as messages } from './pt/messages.json';
export { default as notifications } from './pt/notifications.json';
export { default as session } from './pt/session.json';
export { default as shell } from './pt/shell.json';
export { default as tickets } from './pt/tickets.json';
