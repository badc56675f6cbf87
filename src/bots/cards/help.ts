import { type Platform, platforms } from '../../platforms.ts';
import type { Card, Line, TextPart } from '../card.ts';
import type { ChatMessages } from '../messages.ts';

/** How the commands of a chat are used. */
export function createHelp({ help: texts, welcome, commands, commandNames }: ChatMessages) {
  const subOf =
    (platform: Platform) =>
    (name: keyof typeof commandNames): TextPart => ({
      code: `${platforms[platform].command} ${commandNames[name]}`,
    });

  function help(platform: Platform): Card {
    const sub = subOf(platform);
    const { command, hasSlashText } = platforms[platform];
    const own: Line[] = hasSlashText
      ? [texts.text<TextPart>({ code: `${command} ${texts.sampleText}` })]
      : [
          texts.messageMenu<TextPart>({ bold: commands.pushMessage }),
          texts.personMenu<TextPart>({ bold: commands.sendTo }, { bold: commands.requestFrom }),
        ];
    return {
      summary: [texts.summary],
      lines: [
        texts.form<TextPart>({ code: '/push' }),
        ...own,
        texts.list(sub('list')),
        texts.expire(sub('expire'), sub('audit')),
        texts.request(sub('request')),
        texts.requestLink(sub('request-link')),
        texts.settings(sub('settings'), sub('connect')),
      ],
      ...(hasSlashText && { footnotes: [[texts.subwords]] }),
    };
  }

  /** First steps, for new users and for the person who installed the app in Slack. */
  function firstSteps(): Line[] {
    const sub = subOf('slack');
    return [
      texts.form<TextPart>({ code: '/push' }),
      welcome.messageMenu<TextPart>({ bold: 'Push this securely' }), // named in the manifest, in English
      texts.request<TextPart>(sub('request')),
    ];
  }

  return {
    help,
    installed: (): Card => ({
      summary: [welcome.installed],
      lines: [[welcome.installed], ...firstSteps()],
      footnotes: [welcome.rules<TextPart>(subOf('slack')('settings'))],
    }),
    /** The app's own place, while there is nothing in it. */
    emptyHome: (): Record<string, Card> => ({
      [welcome.home]: { summary: [welcome.home], lines: [[welcome.lead], ...firstSteps()] },
    }),
  };
}
