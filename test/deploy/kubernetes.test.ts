import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { requireProgram } from '../harness/programs.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'deploy', 'kubernetes');

/** A part of a manifest. Whether it has the fields that Kubernetes knows is up to the types, which a test applies. */
// biome-ignore lint/suspicious/noExplicitAny: its shape differs by kind
type Manifest = any;

const labels = (value: Record<string, string>) =>
  Object.entries(value).map(([name, text]) => `${name}=${text}`);

/** Where the types of a kind are. */
const typesOf: Record<string, (kind: string) => string> = {
  v1: (kind) => `kubernetes-types/core/v1').${kind}`,
  'apps/v1': (kind) => `kubernetes-types/apps/v1').${kind}`,
  'policy/v1': (kind) => `kubernetes-types/policy/v1').${kind}`,
  'autoscaling/v2': (kind) => `kubernetes-types/autoscaling/v2').${kind}`,
  'networking.k8s.io/v1': (kind) => `kubernetes-types/networking/v1').${kind}`,
  'gateway.networking.k8s.io/v1': (kind) =>
    `@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1').I${kind}`,
  'monitoring.coreos.com/v1': (kind) =>
    `@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1').I${kind}`,
};

/** What is left out by a comment has no space after its sign, or two; prose has one. */
const withAllLines = (text: string) => text.replace(/^( *)#(?=\S| {2}\S)/gm, '$1');

const ways = {
  'The manifests for Kubernetes': String,
  'The same with what is left out in them': withAllLines,
};

for (const [title, linesOf] of Object.entries(ways))
  describe(title, () => {
    let all: Manifest[];
    let byKind: (kind: string) => Manifest[];
    let named: (kind: string, name: string) => Manifest;
    let pods: { labels: string[]; ports: string[]; spec: Manifest }[];

    before(async () => {
      const names = (await readdir(folder)).filter((name) => name !== 'kustomization.yaml');
      const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
      all = texts.flatMap((text) => parseAllDocuments(linesOf(text)).map((document) => document.toJS()));
      byKind = (kind) => all.filter((one) => one.kind === kind);
      named = (kind, name) => byKind(kind).find(({ metadata }) => metadata.name === name);
      pods = byKind('Deployment').map(({ spec: { template } }) => ({
        labels: labels(template.metadata.labels),
        ports: template.spec.containers.flatMap(({ ports }: Manifest) =>
          ports.map(({ name }: Manifest) => name),
        ),
        spec: template.spec,
      }));
    });

    const selectedBy = (selector: Record<string, string>) =>
      pods.filter((pod) => labels(selector).every((label) => pod.labels.includes(label)));

    it('have the fields that Kubernetes 1.30, the Gateway API and the Prometheus operator know, and no others', async () => {
      const temp = await mkdtemp(join(tmpdir(), 'manifests-'));
      await symlink(join(root, 'node_modules'), join(temp, 'node_modules'));
      const lines = all.map(
        (one, index) =>
          `export const manifest${index}: import('${typesOf[one.apiVersion]?.(one.kind)} = ${JSON.stringify(one)};`,
      );
      await writeFile(join(temp, 'manifests.ts'), lines.join('\n'));
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', 'manifests.ts'];
      const check = () =>
        execFileSync(process.execPath, [compiler, ...options], { cwd: temp, encoding: 'utf8' });
      let problems = '';
      try {
        check();
      } catch (error) {
        problems = String((error as { stdout: string }).stdout);
      }
      await rm(temp, { recursive: true });
      expect(problems).to.equal('');
    });

    it('take only what another one has: settings, secrets, labels and ports', async () => {
      const readme = await readFile(join(root, 'deploy/README.md'), 'utf8');
      const keys = [...readme.matchAll(/--from-file=(\S+)/g)].map(([, key]) => key);
      expect(readme).to.contain('create secret generic hushpush ');
      for (const { spec } of pods) {
        const [container] = spec.containers;
        const { data } = named('ConfigMap', container.envFrom[0].configMapRef.name);
        const mounted = spec.volumes.find(({ secret }: Manifest) => secret?.secretName === 'hushpush');
        const mount = container.volumeMounts.find(({ name }: Manifest) => name === mounted.name);
        const files = Object.entries<string>(data).filter(([name]) => name.endsWith('_FILE'));
        expect(files.map(([, path]) => dirname(path))).to.deep.equal(files.map(() => mount.mountPath));
        expect(keys).to.include.members(files.map(([, path]) => basename(path)));
        const volumes = spec.volumes.map(({ name }: Manifest) => name);
        expect(volumes).to.have.members(container.volumeMounts.map(({ name }: Manifest) => name));
        const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
        for (const { httpGet } of probes) expect(container.ports[0].name).to.equal(httpGet.port);
      }
      for (const { spec } of byKind('Deployment'))
        expect(spec.template.metadata.labels).to.include(spec.selector.matchLabels);
      for (const { spec } of [...byKind('PodDisruptionBudget'), ...byKind('NetworkPolicy')])
        expect(selectedBy((spec.selector ?? spec.podSelector).matchLabels)).to.not.have.length(0);
      for (const { spec } of byKind('HorizontalPodAutoscaler')) {
        const scaled = named(spec.scaleTargetRef.kind, spec.scaleTargetRef.name);
        const [{ resources }] = scaled.spec.template.spec.containers;
        expect(resources.requests).to.have.property(spec.metrics[0].resource.name);
        expect(spec.minReplicas).to.equal(scaled.spec.replicas);
      }
      const [{ spec: monitor }] = byKind('PodMonitor');
      const [endpoint] = monitor.podMetricsEndpoints;
      expect(selectedBy(monitor.selector.matchLabels)).to.have.length(2);
      for (const pod of pods) expect(pod.ports).to.include(endpoint.port);
      expect(endpoint.authorization.credentials.name).to.equal('hushpush');
      expect(keys).to.include(endpoint.authorization.credentials.key);
    });

    /** The pods that a backend of a route or of an ingress leads to. */
    function behind(name: string, port: string | number) {
      const { spec } = named('Service', name);
      const found = spec.ports.find((one: Manifest) => one.name === port || one.port === port);
      expect(found, `port ${port} of ${name}`).to.not.equal(undefined);
      return spec.selector === undefined
        ? []
        : selectedBy(spec.selector).filter(({ ports }) => ports.includes(found.targetPort));
    }

    it('lead from a gateway or an ingress to the web processes, but not to their metrics', async () => {
      const [{ spec: route }] = byKind('HTTPRoute');
      const [{ spec: ingress }] = byKind('Ingress');
      const { data } = named('ConfigMap', 'hushpush');
      expect([`https://${route.hostnames[0]}`, `https://${ingress.rules[0].host}`]).to.deep.equal([
        data.BASE_URL,
        data.BASE_URL,
      ]);
      const byGateway = route.rules.map(({ matches, backendRefs = [] }: Manifest) => [
        `${matches[0].path.type} ${matches[0].path.value}`,
        backendRefs.flatMap(({ name, port }: Manifest) => behind(name, port)).length,
      ]);
      const byIngress = ingress.rules[0].http.paths.map(
        ({ path, pathType, backend: { service } }: Manifest) => [
          `${pathType} ${path}`,
          behind(service.name, service.port.name).length,
        ],
      );
      expect(byGateway).to.deep.equal([
        ['PathPrefix /', 1],
        ['Exact /metrics', 0],
      ]);
      expect(byIngress).to.deep.equal([
        ['Prefix /', 1],
        ['Exact /metrics', 0],
      ]);
      expect(ingress.ingressClassName).to.not.equal('nginx');
      expect(named('Ingress', 'hushpush').metadata.annotations).to.equal(undefined);
    });

    it('are put together by kustomize, with an image of this version', async function () {
      const list = await readFile(join(folder, 'kustomization.yaml'), 'utf8');
      const others = (await readdir(folder)).filter((name) => name !== 'kustomization.yaml');
      expect(others.filter((name) => !list.includes(name))).to.deep.equal([]);
      expect(others).to.include.members(parse(list).resources);
      const text = execFileSync(requireProgram(this, 'kubectl'), ['kustomize', folder], { encoding: 'utf8' });
      const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
      const images = [...text.matchAll(/image: (\S+)/g)].map(([, image]) => image);
      expect(images).to.deep.equal(images.map(() => `registry.example.com/hushpush:${version}`));
      expect(images).to.have.length(2);
    });
  });
