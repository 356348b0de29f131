import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Invoice = Schemas['Invoice'];
export type InvoicePage = Schemas['InvoicePage'];
export type Checkout = Schemas['Checkout'];
export type SubscribedPlan = Schemas['SubscribedPlan'];
export type PlanChange = Schemas['PlanChange'];
export type PlanUse = Schemas['PlanUse'];
export type Offer = Schemas['Offer'];
export type PixCharge = Schemas['PixCharge'];
export type Subscription = Schemas['SubscriptionInputRequest'];
