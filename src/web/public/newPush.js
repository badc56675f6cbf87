// The new push page: presets for the limits.
const lifetime = document.getElementById('lifetime');
const views = document.getElementById('views');
if (lifetime instanceof HTMLSelectElement && views instanceof HTMLInputElement) offerPresets(lifetime, views);

/** Buttons that set both limits, and a sentence that says what they mean. @param {HTMLSelectElement} lifetime @param {HTMLInputElement} views */
function offerPresets(lifetime, views) {
  const presets = [...document.querySelectorAll('[data-preset-lifetime]')].filter(
    (each) => each instanceof HTMLButtonElement,
  );
  const summary = document.getElementById('limits-summary');

  function update() {
    for (const preset of presets) {
      const { presetLifetime, presetViews } = preset.dataset;
      const isChosen = presetLifetime === lifetime.value && presetViews === views.value;
      preset.setAttribute('aria-pressed', String(isChosen));
    }
    const text = sentence(summary?.dataset ?? {});
    if (summary && summary.textContent !== text) summary.textContent = text; // which is read aloud
  }

  /** @param {DOMStringMap} texts */
  function sentence({ once = '', many = '' }) {
    const text = views.value === '1' ? once : many;
    return text.replace('{views}', views.value).replace('{time}', lifetime.selectedOptions[0]?.text ?? '');
  }

  for (const preset of presets) {
    preset.addEventListener('click', () => {
      lifetime.value = preset.dataset.presetLifetime ?? '';
      views.value = preset.dataset.presetViews ?? '';
      update();
    });
  }
  lifetime.addEventListener('input', update);
  views.addEventListener('input', update);
  update();
}
