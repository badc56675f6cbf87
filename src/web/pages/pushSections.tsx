import type { PushState } from '../../domain/index.ts';
import { SectionNav } from '../components/navigation.tsx';
import type { PageContext } from '../pageContext.ts';

type PushSectionsProps = { page: PageContext; current: PushState | 'requests' };

/** The navigation between active pushes, expired pushes and requests. */
export function PushSections({ page, current }: PushSectionsProps) {
  const { states, stateNav, requests } = page.messages.pushes;
  return (
    <SectionNav
      page={page}
      label={stateNav}
      current={current}
      links={[
        { name: 'active', path: '/pushes', text: states.active },
        { name: 'expired', path: '/pushes?state=expired', text: states.expired },
        ...(page.chats.length > 0 ? [{ name: 'requests', path: '/requests', text: requests }] : []),
      ]}
    />
  );
}
