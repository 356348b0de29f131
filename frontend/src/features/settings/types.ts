import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Setting = Schemas['Setting'];
export type CompanyHours = Schemas['CompanyHours'];

/** The settings that the browser reads or changes by name (rules/companies §2). */
export type SettingKey =
  | 'userRating'
  | 'scheduleType'
  | 'call'
  | 'CheckMsgIsGroup'
  | 'importHistory'
  | 'sendGreetingAccepted'
  | 'sendMsgTransfTicket'
  | 'allowToSpyMessage'
  | 'closePending'
  | 'alertReceivingAudio'
  | 'chatBotType'
  | 'asaas'
  | 'timeZone'
  | 'country'
  | 'reopenWindowMinutes'
  | 'ratingEveryDays'
  | 'ratingTemplate'
  | 'waitingListOrder'
  | 'assignment'
  | 'sla'
  | 'rules'
  | 'macros'
  | 'nationalHolidays'
  | 'ownHolidays'
  | 'closingReasons'
  | 'closingFields'
  | 'optOutWords'
  | 'campaignSendingHours';

export type Retention = Schemas['Retention'];
export type RetentionValues = Schemas['RetentionValues'];
export type RetentionLimits = Schemas['RetentionLimits'];
export type RetentionRun = Schemas['RetentionRun'];
export type RetentionPreview = Schemas['RetentionPreview'];
export type RetentionAmount = Schemas['RetentionAmount'];
