import { storedFile, type ChosenFile } from '@/components/FileField';
import type { Campaign } from './types';

/** The file that a campaign has. */
export const mediaOfCampaign = (campaign: Campaign | undefined): ChosenFile | null =>
  storedFile(campaign);
