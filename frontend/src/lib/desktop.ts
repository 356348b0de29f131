import { create } from 'zustand';

type DesktopPermission = NotificationPermission | 'unsupported';

const current = (): DesktopPermission =>
  typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;

/** Whether the browser lets the page show desktop notifications. */
export const useDesktop = create<{ permission: DesktopPermission }>(() => ({
  permission: current(),
}));

/** Asks for the permission. Call it in the handler of a click, as browsers otherwise refuse. */
export async function askForDesktop(): Promise<void> {
  if (current() === 'default') await Notification.requestPermission();
  useDesktop.setState({ permission: current() });
}

interface DesktopNotice {
  title: string;
  body: string;
  /** Identifies the subject: a new notification replaces the earlier one with the same tag. */
  tag: string;
  icon?: string;
  onOpen: () => void;
}

/** Shows a desktop notification if that is allowed; a click on it focuses the window. */
export function showOnDesktop({ title, body, tag, icon, onOpen }: DesktopNotice): void {
  if (current() !== 'granted') return;
  try {
    // Silent: the application plays its own sound at the chosen volume.
    const notice = new Notification(title, { body, tag, silent: true, ...(icon && { icon }) });
    notice.onclick = () => {
      window.focus();
      notice.close();
      onOpen();
    };
  } catch {
    // Phones allow notifications only from service workers; the sound and the unread count remain.
  }
}
