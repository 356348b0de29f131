/** How dates, numbers, phones and names are written. */

const two = (value: number) => String(value).padStart(2, '0');

type DateInput = string | number | Date;

/** Formats as DD/MM/YYYY in the browser's time zone. */
export function formatDate(input: DateInput): string {
  const date = new Date(input);
  return `${two(date.getDate())}/${two(date.getMonth() + 1)}/${date.getFullYear()}`;
}

/** Formats as HH:mm in the browser's time zone. */
export function formatTime(input: DateInput): string {
  const date = new Date(input);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** DD/MM/YYYY HH:mm. */
export const formatDateTime = (input: DateInput) => `${formatDate(input)} ${formatTime(input)}`;

/**
 * Formats a calendar day, such as a due date, as DD/MM/YYYY, independent of the browser's time
 * zone.
 */
export function formatDay(day: string): string {
  const [year, month, date] = day.slice(0, 10).split('-');
  return `${date}/${month}/${year}`;
}

/** Whole days from today to a calendar day; negative if the day is past. */
export function daysUntil(day: string, now: Date = new Date()): number {
  const [year = 0, month = 1, date = 1] = day.slice(0, 10).split('-').map(Number);
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return Math.round((Date.UTC(year, month - 1, date) - today) / 86_400_000);
}

export function isSameDay(left: DateInput, right: DateInput): boolean {
  return formatDate(left) === formatDate(right);
}

/** The time of a list row: HH:mm today, else DD/MM/YYYY. */
export function formatLastMessageTime(input: DateInput, now: Date = new Date()): string {
  return isSameDay(input, now) ? formatTime(input) : formatDate(input);
}

/** The suffix of an id of a contact whose phone number is unknown. */
const LID = '@lid';

/** Whether a contact has a phone number, and not only a WhatsApp id. */
export const hasNumber = (number: string) => number !== '' && !number.endsWith(LID);

/** '5511984321107' → '+55 11 98432-1107'; other countries keep their digits together. */
export function formatPhone(number: string): string {
  if (number.endsWith(LID)) return number.slice(0, -LID.length);
  const digits = number.replace(/\D/g, '');
  const brazil = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(digits);
  if (brazil) return `+55 ${brazil[1]} ${brazil[2]}-${brazil[3]}`;
  return digits.length >= 8 && digits.length <= 15 ? `+${digits}` : number;
}

const whole = new Intl.NumberFormat('pt-BR');

/** '1.284'. */
export const formatCount = (value: number) => whole.format(value);

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** 'R$ 49,90'. */
export const inReais = (value: number) => reais.format(value);

/** Formats seconds as '0:41' or '1:02:05'. */
export function formatDuration(seconds: number): string {
  const total = Math.max(0, Math.round(seconds));
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const rest = two(total % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Formats bytes as '214 kB', '3,2 MB' or '1,4 GB'. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1).replace('.', ',')} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1).replace('.', ',')} GB`;
}

const WORD = /\p{L}/u;

/** First letters of the first and last word; '' when the name holds no letter (a phone number). */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => WORD.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => (word && WORD.exec(word)?.[0]) ?? '',
  );
  return letters.join('').toUpperCase();
}

const HUES = [210, 12, 150, 330, 45, 268, 100, 190, 290, 232];

/** Picks one of ten hues from a name; the same name always gets the same hue. */
export function avatarHue(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return HUES[hash % HUES.length] ?? 210;
}
