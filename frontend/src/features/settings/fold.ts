interface Row {
  key: string;
  value: string;
}

/** The settings with one value changed; the same array if nothing changed. */
export function foldSetting<Setting extends Row>(settings: Setting[], changed: Setting): Setting[] {
  const known = settings.find(({ key }) => key === changed.key);
  if (!known) return [...settings, changed];
  if (known.value === changed.value) return settings;
  return settings.map((setting) => (setting === known ? changed : setting));
}
