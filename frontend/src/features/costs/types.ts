import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type CostPage = Schemas['CostPage'];
export type CostGroup = Schemas['CostGroup'];
export type CostFigures = Schemas['CostFigures'];
export type CostMeters = Schemas['CostMeters'];
export type CostMeter = Schemas['CostMeter'];
export type AutomaticText = Schemas['AutomaticText'];
export type AutomaticTexts = Schemas['AutomaticTexts'];
export type Amount = Schemas['Amount'];
