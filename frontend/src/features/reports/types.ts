import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Conversation = Schemas['ReportedConversation'];
export type ConversationReport = Schemas['ConversationReport'];
export type ReportFigures = Schemas['ReportFigures'];
export type PersonDay = Schemas['PersonDay'];
export type ActivityReport = Schemas['ActivityReport'];
