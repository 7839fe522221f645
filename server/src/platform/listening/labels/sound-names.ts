/** The name of classes of other sounds, for which no label is reported. */
export const noSound = '';

/** Common names, where the dataset's name with spaces instead of underscores is unusual. */
const plainNames: Readonly<Record<string, string>> = {
  chirping_birds: 'birds',
  door_wood_knock: 'door knock',
  door_wood_creaks: 'creaking door',
  drinking_sipping: 'drinking',
  glass_breaking: 'breaking glass',
  clock_alarm: 'alarm clock',
  clock_tick: 'ticking clock',
  pouring_water: 'pouring water',
  can_opening: 'opening can',
  hand_saw: 'hand saw',
};

export const soundName = (category: string): string => plainNames[category] ?? category.replaceAll('_', ' ');
