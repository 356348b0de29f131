import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Connection = Schemas['Connection'];
export type Health = Schemas['Health'];
export type PhoneSync = Schemas['PhoneSync'];
export type Alert = Schemas['Alert'];
export type SetupCheck = Schemas['SetupCheck'];
export type SetupStep = SetupCheck['step'];
export type SetupInput = Schemas['SetupWriteRequest'];
export type Webhook = Schemas['Webhook'];
export type SignupOffer = Schemas['SignupOffer'];
export type SignupInput = Schemas['SignupWriteRequest'];
export type SignedUp = Schemas['SignedUp'];
export type ConnectionInput = Schemas['ConnectionWriteRequest'];
