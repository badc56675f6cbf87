import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { contrastOf, paletteOf } from '../../src/look/colours.ts';
import { defaultLook, type Palette, type Scheme, schemes } from '../../src/look/look.ts';

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);

/** What is seen together, and the contrast that WCAG 2.2 AA asks for: 1.4.3 for text, 1.4.11 for borders of fields. */
const seen: [keyof Palette, keyof Palette, number][] = [
  ['text', 'background', 4.5],
  ['text', 'surface', 4.5],
  ['textMuted', 'background', 4.5],
  ['textMuted', 'surface', 4.5],
  ['danger', 'background', 4.5],
  ['danger', 'surface', 4.5],
  ['borderStrong', 'background', 3],
  ['borderStrong', 'surface', 3],
  ['accent', 'background', 4.5],
  ['accent', 'surface', 4.5],
  ['accent', 'accentSoft', 4.5],
  ['accentStrong', 'background', 4.5],
  ['accentStrong', 'surface', 4.5],
  ['onAccent', 'accent', 4.5],
  ['onAccent', 'accentStrong', 4.5],
  ['text', 'accentSoft', 4.5],
];

const faintIn = (palette: Palette) =>
  seen.filter(([one, other, min]) => contrastOf(palette[one], palette[other]) < min);

describe('The colours of a look', () => {
  it('have the contrast that WCAG defines', () => {
    for (const [one, other, contrast] of [
      ['#000000', '#ffffff', 21],
      ['#ffffff', '#ffffff', 1],
      ['#777777', '#ffffff', 4.478],
      ['#767676', '#ffffff', 4.542],
      ['#0000ff', '#ffffff', 8.592],
    ] as const) {
      expect(contrastOf(one, other), `${one} ${other}`).to.be.closeTo(contrast, 0.001);
      expect(contrastOf(other, one)).to.equal(contrastOf(one, other));
    }
  });

  it('are ours where nothing is chosen, and those of the style sheets', () => {
    const css = readFileSync(new URL('../../src/web/public/parts/tokens.css', import.meta.url), 'utf8');
    const [, light = '', dark = ''] = /^(.*)@media \(prefers-color-scheme: dark\)(.*)$/s.exec(css) ?? [];
    const tokensIn = (text: string, palette: Palette) =>
      Object.fromEntries(
        Object.keys(palette).map((name) => {
          const token = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
          return [name, new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(text)?.[1]];
        }),
      );
    for (const [scheme, text] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      const { palette, problems } = paletteOf(scheme, {}, {});
      expect(palette).to.deep.equal(defaultLook.palettes[scheme]);
      expect(tokensIn(text, palette)).to.deep.equal(palette);
      expect(problems).to.deep.equal([]);
      expect(faintIn(palette)).to.deep.equal([]);
    }
  });

  it('are refused below AA, with the nearest colour that would do', () => {
    const { problems } = paletteOf('light', { accent: '#ff6600' }, {});
    expect(problems).to.have.length(1);
    const [, wouldDo = ''] =
      /^light\.accent #ff6600 has a contrast of 2\.58 with the background #f4f0e7, and needs 4\.5; (#[0-9a-f]{6}) would do$/.exec(
        problems[0] ?? '',
      ) ?? [];
    expect(wouldDo, problems[0]).to.not.equal('');
    expect(paletteOf('light', { accent: wouldDo }, {}).problems).to.deep.equal([]);
    expect(contrastOf(wouldDo, '#f4f0e7')).to.be.within(4.5, 4.6);
  });

  it('are all legible together, whatever was chosen, with each colour that is proposed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Scheme>(...schemes),
        fc.record({ background: colour, surface: colour, accent: colour }, { requiredKeys: [] }),
        colour,
        (scheme, chosen, other) => {
          const { palette, problems } = paletteOf(scheme, chosen, { accent: other });
          expect(faintIn(palette)).to.deep.equal([]);
          const proposed = Object.fromEntries(
            Object.keys(chosen).map((name) => [name, palette[name as keyof Palette]]),
          );
          expect(paletteOf(scheme, proposed, { accent: other }).problems).to.deep.equal([]);
          for (const [name, value] of Object.entries(chosen)) {
            const isChanged = palette[name as keyof Palette] !== value;
            expect(isChanged, name).to.equal(
              problems.some((line) => line.startsWith(`${scheme}.${name} ${value} `)),
            );
          }
        },
      ),
      { numRuns: 80 },
    );
  });

  it('take the accent of the other scheme, as near as it may be, where none was chosen', () => {
    const { palette, problems } = paletteOf('dark', {}, { accent: '#c8102e' });
    expect(problems).to.deep.equal([]);
    expect(contrastOf(palette.accent, palette.surface)).to.be.within(4.5, 4.6);
    expect(Number.parseInt(palette.accent.slice(1, 3), 16)).to.be.above(0xe0); // still red
  });
});
