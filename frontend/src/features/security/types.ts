import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type TwoFactor = Schemas['TwoFactor'];
export type Enrolment = Schemas['Enrolment'];
export type RecoveryCodes = Schemas['RecoveryCodes'];
export type SignIn = Schemas['SignIn'];
export type SignInPage = Schemas['SignInPage'];
