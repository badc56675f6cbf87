import type { Platform } from '../../domain/index.ts';
import type { Card, Line, TextPart } from '../card.ts';
import type { ChatMessages } from '../messages.ts';

const commandOf = { slack: '/push', discord: '/pushes' };

/** How the commands of a chat are used. */
export function createHelp({ help: texts, commands, commandNames }: ChatMessages) {
  return function help(platform: Platform): Card {
    const sub = (name: keyof typeof commandNames): TextPart => ({
      code: `${commandOf[platform]} ${commandNames[name]}`,
    });
    const own: Record<Platform, Line[]> = {
      slack: [texts.text<TextPart>({ code: '/push some text' })],
      discord: [
        texts.messageMenu<TextPart>({ bold: commands.pushMessage }),
        texts.personMenu<TextPart>({ bold: commands.sendTo }, { bold: commands.requestFrom }),
      ],
    };
    return {
      summary: [texts.summary],
      lines: [
        texts.form<TextPart>({ code: '/push' }),
        ...own[platform],
        texts.list(sub('list')),
        texts.expire(sub('expire'), sub('audit')),
        texts.request(sub('request')),
        texts.settings(sub('settings'), sub('connect')),
      ],
      ...(platform === 'slack' && { footnotes: [[texts.subwords]] }),
    };
  };
}
