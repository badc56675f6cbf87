// The pages of a secret that is not encrypted: warns if the address has the key of one that is.
import { findKey } from '../../../client/findKey.js';

const keyWarning = document.getElementById('unexpected-key');
const warnOfKey = () => keyWarning?.toggleAttribute('hidden', !findKey(location.hash));
window.addEventListener('hashchange', warnOfKey);
warnOfKey();
