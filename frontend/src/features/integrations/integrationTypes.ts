import {
  BadgeCheck,
  Bot,
  MessageSquareCode,
  ReceiptText,
  Webhook,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import type { IntegrationType } from './types';

/** Every type with its icon, in the order of the dialog; names and hints are `types.<type>`. */
export const TYPES: Record<IntegrationType, LucideIcon> = {
  typebot: Bot,
  n8n: Workflow,
  webhook: Webhook,
  webhook_official: BadgeCheck,
  dialogflow: MessageSquareCode,
  asaas: ReceiptText,
};

export const TYPE_NAMES = Object.keys(TYPES) as IntegrationType[];

/** What is posted to their address carries a signature. */
export const isSigned = (type: IntegrationType) =>
  type === 'n8n' || type === 'webhook' || type === 'webhook_official';

/** Whether the type asks for an address. */
export const hasAddress = (type: IntegrationType) => isSigned(type) || type === 'typebot';
