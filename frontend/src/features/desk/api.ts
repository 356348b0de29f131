/** What other features may know of the desk; its calls are in calls.ts, which no first page needs. */

export type * from './types';
export { PersonPresence } from './PersonPresence';
export { presencesQuery, useDistributes, usePresences } from './presences';
export { usePresenceWords } from './words';
