// Loads the guide in the reader's language.
import { getLocale } from '$lib/paraglide/runtime';
import type { PageLoad } from './$types';

const guides = {
  en: () => import('../../../../docs/guide.md'),
  de: () => import('../../../../docs/guide.de.md')
};

export const load: PageLoad = async () => ({ blocks: (await guides[getLocale()]()).default });
