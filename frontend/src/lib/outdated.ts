import { i18n } from '@/i18n';
import { toaster } from '@/lib/toast';

/** Tells whether the server has another version of the application than the one that runs here. */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (!own) return false;
  try {
    const page = await fetch('/', { cache: 'no-store' });
    return page.ok && !(await page.text()).includes(new URL(own.src).pathname);
  } catch {
    // Without a connection nothing is known, and what failed is tried again.
    return false;
  }
}

const NOTICE = 'outdated';

/**
 * Offers to load the page anew when texts do not come because a new version has replaced their
 * files: they never will. What has been written is kept as drafts.
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
