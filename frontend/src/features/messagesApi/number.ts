/** Whether it is a number without mask: country code, area code and number. */
export const isNumber = (text: string) => /^\d{8,15}$/.test(text.trim());
