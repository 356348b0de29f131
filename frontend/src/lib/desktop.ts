import { create } from 'zustand';

type DesktopPermission = NotificationPermission | 'unsupported';

const current = (): DesktopPermission =>
  typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;

/** Whether the browser shows our notifications on the desktop. */
export const useDesktop = create<{ permission: DesktopPermission }>(() => ({
  permission: current(),
}));

/** Asks the browser; to be called by a press, else browsers refuse. */
export async function askForDesktop(): Promise<void> {
  if (current() === 'default') await Notification.requestPermission();
  useDesktop.setState({ permission: current() });
}

interface DesktopNotice {
  title: string;
  body: string;
  /** One notice at a time for the same subject: a new one takes the old one's place. */
  tag: string;
  icon?: string;
  onOpen: () => void;
}

/** Shows a notice on the desktop, if that is allowed; a press on it brings the window up. */
export function showOnDesktop({ title, body, tag, icon, onOpen }: DesktopNotice): void {
  if (current() !== 'granted') return;
  try {
    // Our own sound tells of it, at the volume that was chosen.
    const notice = new Notification(title, { body, tag, silent: true, ...(icon && { icon }) });
    notice.onclick = () => {
      window.focus();
      notice.close();
      onOpen();
    };
  } catch {
    // Phones only allow it to service workers; there the sound and the count remain.
  }
}
