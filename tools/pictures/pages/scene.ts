import type { TestPage } from '../../../test/harness/browser.ts';
import type { Studio } from './studio.ts';

/** Brings a page into a state, and returns it to be pictured. */
export type Scene = (studio: Studio) => Promise<TestPage>;
