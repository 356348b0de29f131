import { storedFile, type ChosenFile } from '@/components/FileField';
import type { Campaign } from './types';

/** The file of a campaign. */
export const mediaOfCampaign = (campaign: Campaign | undefined): ChosenFile | null =>
  storedFile(campaign);
