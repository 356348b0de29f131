import { useQueryClient } from '@tanstack/react-query';
import { i18n } from '@/i18n';
import { opens } from '@/lib/permissions';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { templateKeys } from './api';

const ALERTING = ['REJECTED', 'PAUSED', 'DISABLED', 'LIMIT_EXCEEDED'];

/** Loads its texts with the first notice: few users ever see one. */
async function tell(key: string, { name, category }: { name: string; category?: string }) {
  await i18n.loadNamespaces(['templatesPage']);
  const moved = category && i18n.t(`templatesPage:news.categories.${category}`, category);
  toast.advice(i18n.t(`templatesPage:news.${key}`, { name, category: moved }));
}

/**
 * Invalidates all template lists when a template changes, and shows admins the important changes.
 */
export function TemplateNews() {
  const client = useQueryClient();
  const isAdmin = opens(useCurrentUser(), 'templates');
  useCompanyEvent('template', ({ template: { name, change, value } }) => {
    void client.invalidateQueries({ queryKey: templateKeys.all });
    if (!isAdmin) return;
    if (change === 'status' && ALERTING.includes(value)) void tell(value, { name });
    if (change === 'quality' && value === 'RED') void tell('quality', { name });
    if (change === 'category' || change === 'category_ahead')
      void tell(change, { name, category: value });
  });
  return null;
}
