import { i18n } from '@/i18n';
import { toaster } from '@/lib/toast';

/** Whether the server has another version of the application than the running one. */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (!own) return false;
  try {
    const page = await fetch('/', { cache: 'no-store' });
    return page.ok && !(await page.text()).includes(new URL(own.src).pathname);
  } catch {
    // Without a connection the version is unknown; the failed load is tried again.
    return false;
  }
}

const NOTICE = 'outdated';

/**
 * Offers a reload if translation files fail to load because a new version has replaced them: no
 * retry can succeed. Drafts keep what the user has written.
 */
export function watchVersion() {
  i18n.on('failedLoading', () => {
    void isOutdated().then((outdated) => {
      if (!outdated || toaster.isVisible(NOTICE)) return;
      toaster.create({
        id: NOTICE,
        type: 'info',
        title: i18n.t('common:outdated'),
        duration: Infinity,
        action: { label: i18n.t('common:crash.action'), onClick: () => window.location.reload() },
      });
    });
  });
}
