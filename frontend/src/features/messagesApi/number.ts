/** Whether a text is a number in digits only: country code, area code and number. */
export const isNumber = (text: string) => /^\d{8,15}$/.test(text.trim());
