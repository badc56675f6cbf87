import { expect } from 'chai';
import { standingIn } from '../../../src/bots/slack/people.ts';

const address = 'T1:U1';

describe('A user of Slack', () => {
  it('is an admin, a member or a guest of their workspace', () => {
    expect(standingIn('T1', { team_id: 'T1' }, address)).to.equal('member');
    expect(standingIn('T1', { team_id: 'T1', is_admin: true }, address)).to.equal('admin');
    expect(standingIn('T1', { team_id: 'T1', is_owner: true }, address)).to.equal('admin');
    expect(standingIn('T1', { team_id: 'T1', is_restricted: true }, address)).to.equal('guest');
    const singleChannel = { team_id: 'T1', is_restricted: true, is_ultra_restricted: true };
    expect(standingIn('T1', singleChannel, address)).to.equal('guest');
  });

  it('is a stranger where they come from another workspace, even as its admin, and where Slack does not show them', () => {
    expect(standingIn('T1', { team_id: 'T2' }, address)).to.equal('stranger');
    expect(standingIn('T1', { team_id: 'T2', is_admin: true }, address)).to.equal('stranger');
    expect(standingIn('T1', { team_id: 'T1', is_stranger: true }, address)).to.equal('stranger');
    expect(standingIn('T1', null, address)).to.equal('stranger');
    const elsewhere = { team_id: 'T2', enterprise_user: { enterprise_id: 'E2', is_admin: true } };
    expect(standingIn('T1', elsewhere, address)).to.equal('stranger');
  });

  it('is a member of all workspaces of their organisation, and an admin of their own or of all', () => {
    const inOrganisation = (more: object) => ({
      team_id: 'T2',
      ...more,
      enterprise_user: {
        enterprise_id: 'E1',
        ...('enterprise_user' in more ? (more.enterprise_user as object) : {}),
      },
    });
    expect(standingIn('T1', inOrganisation({}), 'E1:W1')).to.equal('member');
    expect(standingIn('T1', inOrganisation({ is_admin: true }), 'E1:W1')).to.equal('member');
    expect(standingIn('T2', inOrganisation({ is_admin: true }), 'E1:W1')).to.equal('admin');
    const ofAll = { enterprise_user: { enterprise_id: 'E1', is_owner: true } };
    expect(standingIn('T1', inOrganisation(ofAll), 'E1:W1')).to.equal('admin');
    expect(standingIn('T1', inOrganisation({}), 'E2:W1')).to.equal('stranger');
  });
});
