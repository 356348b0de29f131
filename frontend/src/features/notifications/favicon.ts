/** Draws the number of unread conversations on the tab's icon. */

const SIZE = 64;
const MOST = 99;

const iconLink = () => document.querySelector<HTMLLinkElement>('link[rel=icon]');
let usual: string | null = null;
let drawn = 0;

async function withBadge(address: string, count: number): Promise<string> {
  const image = new Image(SIZE, SIZE);
  image.src = address;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const pen = canvas.getContext('2d');
  if (!pen) return address;
  pen.drawImage(image, 0, 0, SIZE, SIZE);
  const text = count > MOST ? `${MOST}+` : String(count);
  const width = text.length > 2 ? 50 : text.length > 1 ? 42 : 36;
  pen.beginPath();
  pen.roundRect(SIZE - width, SIZE - 36, width, 36, 18);
  // CSS variables are not available in a canvas image: this is the danger colour of the light
  // theme.
  pen.fillStyle = '#C7302B';
  pen.fill();
  pen.fillStyle = '#FFFFFF';
  pen.font = `600 ${text.length > 2 ? 22 : 27}px Inter, sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(text, SIZE - width / 2, SIZE - 17);
  return canvas.toDataURL('image/png');
}

/** Draws the count on the icon, or removes it for 0. */
export async function showOnIcon(count: number): Promise<void> {
  const link = iconLink();
  if (!link) return;
  usual ??= link.href;
  const turn = ++drawn;
  const address = count > 0 ? await withBadge(usual, count).catch(() => usual) : usual;
  // A later count may have been drawn first.
  if (turn === drawn && address) link.href = address;
}
