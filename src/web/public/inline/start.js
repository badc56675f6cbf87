/* Shows what needs scripts, and hides it again if one of them does not load. No module: it runs before the page is shown. */
{
  const { classList } = document.documentElement;
  classList.add('js');
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) classList.remove('js');
    },
    true,
  );
}
