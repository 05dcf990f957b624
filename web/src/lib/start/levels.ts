// Lists the names of the levels of the computer opponent.
import { m } from '$lib/paraglide/messages';

export const levelNames = [
  m.start_level_1,
  m.start_level_2,
  m.start_level_3,
  m.start_level_4,
  m.start_level_5,
  m.start_level_6,
  m.start_level_7,
  m.start_level_8,
  m.start_level_9
];
